// Serves dist/playground on this machine alone, as it was compressed when it was built.  usage: node web/serve.mjs [PORT]   (0: any that is free)
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("dist/playground", import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".wasm": "application/wasm" };

function answer(request, response) {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const file = join(root, path.endsWith("/") ? join(path, "index.html") : path);
  if (!file.startsWith(root + sep) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { "content-type": "text/plain" });
    response.end("There is no such file.\n");
    return;
  }
  const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" };
  const accepted = request.headers["accept-encoding"] ?? "";
  const compressed = [["br", ".br"], ["gzip", ".gz"]].find(([name, end]) => new RegExp(`\\b${name}\\b`).test(accepted) && existsSync(file + end));
  response.writeHead(200, compressed ? { ...headers, "content-encoding": compressed[0], vary: "accept-encoding" } : headers);
  createReadStream(compressed ? file + compressed[1] : file).pipe(response);
}

if (!existsSync(join(root, "index.html")) || !existsSync(join(root, "pliant.wasm"))) {
  console.error("web/serve.mjs: the playground is not built (make web builds it)");
  process.exit(2);
}
const server = createServer((request, response) => {
  try {
    answer(request, response);
  } catch {
    response.writeHead(400).end();
  }
});
server.on("error", (problem) => {
  console.error(`web/serve.mjs: ${problem.message} (choose another port: node web/serve.mjs 0)`);
  process.exit(2);
});
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () => {
  console.log(`The playground: http://127.0.0.1:${server.address().port}/  (Ctrl-C ends it)`);
});
