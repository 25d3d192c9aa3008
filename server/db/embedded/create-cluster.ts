/** A process that makes a fresh database in memory and writes it into the folder that it is given. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// The quick compiler alone: the better code of the other comes too late for a process that lives two seconds.
setFlagsFromString('--liftoff-only')
const { PGlite } = await import('@electric-sql/pglite')

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('which folder?')
const engine = await PGlite.create({
  dataDir: 'memory://',
  startParams: ['--single', '-F', '-c', 'exit_on_error=false', '-c', 'io_method=sync', '-c', 'max_worker_processes=0'],
  initDbStartParams: ['--no-sync', '--no-instructions', '--wal-segsize=1'],
})
const files = fileSystem(engine.Module.FS)
await engine.close()
copy(PGlite.paths.PGDATA, target)
process.exit(0)

function copy(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const name of files.readdir(from)) {
    if (name === '.' || name === '..') continue
    const path = `${from}/${name}`
    if (files.isDir(files.stat(path).mode)) copy(path, join(to, name))
    else writeFileSync(join(to, name), files.readFile(path), { mode: 0o600, flag: 'wx' })
  }
}

interface MemoryFiles {
  readdir(path: string): string[]
  stat(path: string): { mode: number }
  isDir(mode: number): boolean
  readFile(path: string): Uint8Array
}

/** The engine's own file layer; its typings need those of its compiler. */
function fileSystem(layer: unknown): MemoryFiles {
  return layer as MemoryFiles
}
