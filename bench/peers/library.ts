import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWire } from './http.ts'
import { installed } from './install.ts'
import { writePassages, type Passages } from './passages.ts'
import { askedParts, type System, type Variant } from './peer.ts'

/** A library that runs within a process. It gets a minimal server in its own process, since Groundwork is measured over HTTP too. */
export interface Library {
  readonly name: string
  readonly package: string
  readonly version: string
  readonly layouts: readonly { readonly layout: string; readonly how: string; readonly efforts: Variant['efforts'] }[]
}

export function asSystem(library: Library, passages: Passages): System {
  return { name: library.name, variants: library.layouts.map((layout) => () => start(library, layout, passages)) }
}

async function start(library: Library, { layout, how, efforts }: Library['layouts'][number], passages: Passages): Promise<Variant> {
  const modules = await installed(library.package, library.version)
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-peer-'))
  await writePassages(folder, passages)
  const child = fork(join(import.meta.dirname, 'library-server.ts'), [library.package, layout, modules, folder], {
    execArgv: ['--import', 'tsx', '--conditions=source', '--max-old-space-size=8192'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()))
  const exit = new Promise<void>((ended) => child.once('exit', () => ended()))
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  const port = await Promise.race([
    new Promise<number>((listening) => child.once('message', (message) => listening(Number(message)))),
    exit,
  ])
  if (port === undefined) {
    await end()
    throw new Error(/\w*Error: .*/.exec(errors)?.[0] ?? `the server ended: ${errors.slice(-500)}`)
  }
  const wire = openWire(`http://127.0.0.1:${port}`)
  let raised = efforts.values[0] ?? 0
  return {
    name: `${library.name} ${library.version}, ${how}`,
    efforts,
    tune: async (effort) => {
      raised = effort
    },
    async ask({ vector, base }) {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
      const reply = await wire.post(`/?base=${base}&parts=${askedParts.join()}&effort=${raised}`, bytes, {})
      return () => JSON.parse(reply) as number[]
    },
    async close() {
      await wire.close()
      await end()
    },
  }
}
