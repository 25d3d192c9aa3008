import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Installs a package from the npm registry into a temporary folder, without its scripts, and keeps it for the next run: the
 * peers weigh hundreds of megabytes, which nobody who only wants the program should have to take.
 * @returns the folder, in whose node_modules it is
 */
export async function installed(name: string, version: string): Promise<string> {
  const folder = join(tmpdir(), 'groundwork-bench-peers', `${name}@${version}`)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder
  await mkdir(folder, { recursive: true })
  process.stderr.write(`npm installs ${name}@${version}\n`)
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { cwd: folder, timeout: 600_000 })
  return folder
}
