import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './program.ts'

/** Returns the blocks of shell commands of a page, by its path in the repository. */
export async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

/** Runs commands in a shell, in the folder of the repository. Returns what they print. */
export async function runInShell(commands: string, env: NodeJS.ProcessEnv): Promise<string> {
  const words = ['-c', `set -euo pipefail\n${commands}`]
  return (await promisify(execFile)('bash', words, { cwd: root, env, timeout: 300_000 })).stdout
}
