// Serves this folder on loopback, so that its pages can be added as sources of type url. Usage: node examples/serve.mjs [port]
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, extname, join } from 'node:path'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.pdf': 'application/pdf',
  '.csv': 'text/csv',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

const server = createServer(async (request, response) => {
  const name = basename(new URL(request.url, 'http://localhost').pathname)
  const type = types[extname(name)]
  const file = type && (await readFile(join(import.meta.dirname, name)).catch(() => undefined))
  response.writeHead(file ? 200 : 404, { 'content-type': type ?? 'text/plain' }).end(file ?? 'not found')
})
server.listen(Number(process.argv[2] ?? 4010), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
