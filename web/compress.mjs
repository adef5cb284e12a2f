// Files beside compressed ones of the same name (.gz, .br): servers that know them need not compress at every visit.
import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;

/** Writes both beside the file and gives the sizes as numbers. */
export async function compress(file) {
  const bytes = await readFile(file);
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  await writeFile(`${file}.gz`, gzip);
  await writeFile(`${file}.br`, brotli);
  return { raw: bytes.length, gzip: gzip.length, brotli: brotli.length };
}

export const sizes = ({ raw, gzip, brotli }) => `${kilobytes(raw)}, ${kilobytes(gzip)} with gzip, ${kilobytes(brotli)} with brotli`;
