import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { createServer as createSite } from 'node:http'
import { createServer } from 'node:net'
import { Client } from './client.ts'
import { createToken, pause, root } from './program.ts'

/**
 * Runs in its own network namespace and prints, as the last line, the host names that were looked up and the ports that were
 * connected to. Usage: network-witness.ts PORT SECONDS, with the environment of Groundwork. PORT is the port of Groundwork, or
 * `runtime` to load only onnxruntime-node with its telemetry.
 */
const [port = '', seconds = '60'] = process.argv.slice(2)
const lookups: string[] = []
const connections: number[] = []

const nameServer = createSocket('udp4').bind(53, '127.0.0.1')
nameServer.on('message', (query, { address, port: from }) => {
  lookups.push(nameIn(query))
  nameServer.send(answerTo(query), from, address)
})
await new Promise((listening) => nameServer.once('listening', listening))
for (const listened of [53, 80, 443]) {
  const server = createServer((socket) => {
    connections.push(listened)
    socket.on('error', () => socket.destroy()).end()
  }).listen(listened, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
}

const found = port === 'runtime' ? await runtimeAlone() : await groundwork()
process.stdout.write(`\n${JSON.stringify({ ...found, lookups, connections })}\n`)
process.exit(0)

/** Starts Groundwork, uploads a file, crawls a site that needs Chromium, searches once, and stays idle for a while. */
async function groundwork(): Promise<{ text: string | undefined; site: string }> {
  const npm = spawn('npm', ['start'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    await pause(200)
  }
  const client = new Client(url, (await createToken({ env: environment() })).token)
  const base = await client.createBase('quiet')
  const source = await client.addPath(base.id, `${root}/examples/handbook.pdf`)
  await client.settled(base.id, source.id)
  const site = await serveSite()
  const shown = await client.api.bases.sources.create(base.id, { name: 'Site', type: 'scrape', url: site })
  const { status, error } = await client.settled(base.id, shown.id, 300_000)
  const [hit] = await client.search(base.id, 'How much is the deposit for an e-bike?')
  await pause(Number(seconds) * 1000)
  const ended = new Promise((done) => npm.once('exit', done))
  npm.kill('SIGTERM')
  await ended
  return { text: hit?.text, site: error ?? status }
}

/** Serves a page with content from a script, at a URL that Groundwork is allowed to fetch. */
async function serveSite(): Promise<string> {
  const server = createSite((request, response) => {
    if (request.url !== '/') return response.writeHead(404).end()
    const script = "document.body.innerHTML = '<main><p>A script has filled this page with its opening hours.</p></main>'"
    return response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Hours</title><body><script>${script}</script>`)
  }).listen(4010, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  return 'http://127.0.0.1:4010/'
}

/** Loads the runtime and waits until it has looked up its telemetry host, or the time is over. */
async function runtimeAlone(): Promise<object> {
  const script = `import('onnxruntime-node').then(({ InferenceSession }) => InferenceSession.create(new Uint8Array()).catch(() => setInterval(() => {}, 1000)))`
  const runtime = spawn(process.execPath, ['--eval', script], { cwd: `${root}/server`, stdio: ['ignore', 'inherit', 'inherit'] })
  const deadline = Date.now() + Number(seconds) * 1000
  while (connections.length === 0 && Date.now() < deadline) await pause(200)
  runtime.kill('SIGKILL')
  return {}
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Returns the name in the first question of a DNS message: https://www.rfc-editor.org/rfc/rfc1035#section-4.1.2 */
function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; (query[at] ?? 0) > 0; at += 1 + (query[at] ?? 0))
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
  return labels.join('.')
}

/** Resolves every name to 127.0.0.1, so that connections are recorded too. */
function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5
  const isAddress = query.readUInt16BE(end - 4) === 1
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(isAddress ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([header, query.subarray(12, end), ...(isAddress ? [record] : [])])
}
