import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, pause, root } from './program.ts'

/** An installed reverse proxy, configured as in docs/proxy.md but without TLS. */
export interface ProxyKind {
  readonly name: string
  readonly path: string
  /** Returns the configuration of a proxy on `port` for a program at `target`, with its files in `folder`. */
  readonly configuration: (at: { port: number; target: number; folder: string }) => Promise<string>
  readonly parameters: (file: string) => string[]
}

const nginx: ProxyKind = {
  name: 'nginx',
  path: '/usr/sbin/nginx',
  async configuration({ port, target, folder }) {
    const location = (await example('nginx')).match(/^ {2}location \/ \{.*?^ {2}\}/ms)?.[0] ?? ''
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
    return `daemon off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${paths.join(' ')} server { listen 127.0.0.1:${port}; ${location.replace(':4000', `:${target}`)} } }
`
  },
  parameters: (file) => ['-c', file],
}

const haproxy: ProxyKind = {
  name: 'haproxy',
  path: '/usr/sbin/haproxy',
  async configuration({ port, target }) {
    return (await example('haproxy')).replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`).replace(':4000', `:${target}`)
  },
  parameters: (file) => ['-db', '-f', file],
}

export const proxyKinds = [nginx, haproxy]

/** Returns whether the proxy is installed and runs. */
export const isInstalled = ({ path }: ProxyKind): Promise<boolean> =>
  access(path)
    .then(() => promisify(execFile)(path, ['-v']))
    .then(
      () => true,
      () => false,
    )

/**
 * Starts the proxy and waits until it listens.
 * @returns its URL
 */
export async function startProxy(kind: ProxyKind, target: number, atEnd: (end: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `groundwork-${kind.name}-`))
  const port = await freePort()
  const file = join(folder, 'configuration')
  await writeFile(file, await kind.configuration({ port, target, folder }))
  const child = spawn(kind.path, kind.parameters(file), { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  atEnd(async () => {
    await ended(child)
    await rm(folder, { recursive: true, force: true })
  })
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${kind.name} ended:\n${output}`)
    await pause(20)
  }
  return `http://127.0.0.1:${port}`
}

/** Returns the example of docs/proxy.md under the heading. */
async function example(heading: string): Promise<string> {
  const page = await readFile(join(root, 'docs/proxy.md'), 'utf8')
  const code = new RegExp(`^## ${heading}$.*?^\`\`\`\\w*\\n(.*?)^\`\`\`$`, 'ims').exec(page)?.[1]
  if (code === undefined) throw new Error(`docs/proxy.md has no example for ${heading}`)
  return code
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}

const listens = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
    socket.once('connect', () => socket.destroy())
  })
