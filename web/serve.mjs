// Serves dist/playground on this machine alone.  usage: node web/serve.mjs [PORT]   (0: any that is free)
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { createBrotliCompress, constants } from "node:zlib";

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
  if (/\bbr\b/.test(request.headers["accept-encoding"] ?? "")) {
    response.writeHead(200, { ...headers, "content-encoding": "br" });
    createReadStream(file).pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })).pipe(response);
  } else {
    response.writeHead(200, headers);
    createReadStream(file).pipe(response);
  }
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
