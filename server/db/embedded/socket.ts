import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, realpath, unlink } from 'node:fs/promises'
import { connect, createServer, Socket, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Duplex } from 'node:stream'

/** The name that `psql -h FOLDER` and node-postgres with `host: FOLDER` look for. */
const SOCKET_NAME = '.s.PGSQL.5432'
/** The kernel's limit is 108 bytes on Linux and 104 on macOS, with the final zero byte. */
const LONGEST_PATH = 100

/** Lets other processes of this user connect: each accepted socket is piped into a new stream from `openConnection`. */
export async function serveSocket(dataDir: string, openConnection: () => Duplex): Promise<{ close(): Promise<void> }> {
  const path = await socketPath(dataDir)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await assertPrivate(dirname(path))
  await unlink(path).catch(() => undefined)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const stream = openConnection()
    socket.once('close', () => {
      sockets.delete(socket)
      stream.destroy()
    })
    socket.on('error', () => stream.destroy())
    stream.on('error', () => socket.destroy())
    socket.pipe(stream).pipe(socket)
  })
  await listen(server, path)
  server.unref()
  await chmod(path, 0o600)
  return {
    async close() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroySoon()
      await closed
    },
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(path, () => {
      server.off('error', fail)
      done()
    })
  })
}

/** Returns a function that opens a stream to the process that serves the folder; null if no process answers. */
export async function connectSocket(dataDir: string): Promise<(() => Duplex) | null> {
  const path = await socketPath(dataDir)
  const answers = await new Promise<boolean>((done) => {
    const probe = connect(path, () => {
      probe.destroy()
      done(true)
    })
    probe.once('error', () => done(false))
  })
  return answers ? () => new LocalSocket(path) : null
}

/** Connects to its path and ignores the host and port of the driver. */
class LocalSocket extends Socket {
  readonly #path: string
  #connecting = false

  constructor(path: string) {
    super()
    this.#path = path
  }

  override connect(...target: unknown[]): this {
    if (this.#connecting) return Reflect.apply(super.connect.bind(this), this, target)
    this.#connecting = true
    return super.connect({ path: this.#path })
  }
}

async function socketPath(dataDir: string): Promise<string> {
  const folder = await realpath(dataDir).catch(() => resolve(dataDir))
  const path = join(folder, SOCKET_NAME)
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return join(tmpdir(), `groundwork-${process.getuid?.() ?? 0}-${hash}`, SOCKET_NAME)
}

/** Permissions of the folder protect the database: a process that can open the socket connects as a superuser without a password. */
async function assertPrivate(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0))
    throw new Error(`${folder} must belong to this user and be closed to others`)
}
