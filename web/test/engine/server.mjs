// The playground's folder over HTTP, on a port of its own: a worker and a module cannot be opened from disk.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };

export async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, "http://here").pathname));
    if (path === "/empty.html") return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>empty</title>");
    if (path === "/favicon.ico") return response.writeHead(204).end();
    try {
      const bytes = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
