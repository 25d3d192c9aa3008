import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Installs a package from npm into a temporary folder, without running its scripts, and keeps it for the next run. The packages
 * take hundreds of megabytes, so they are not dependencies of the repository.
 * @returns the folder with node_modules
 */
export async function installed(name: string, version: string): Promise<string> {
  const folder = join(tmpdir(), 'groundwork-bench-peers', `${name}@${version}`)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder
  await mkdir(folder, { recursive: true })
  process.stderr.write(`Installing ${name}@${version}\n`)
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { cwd: folder, timeout: 600_000 })
  return folder
}
