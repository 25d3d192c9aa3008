// Removes the files of dependencies that nothing reads (needed.mjs): about half of them, by size. Runs after each npm ci.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isNeeded } from './needed.mjs'

const platform = `${process.platform}-${process.arch}`
const root = join(import.meta.dirname, '..')
const workspaces = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces

for (const folder of ['', ...workspaces]) prunePackages(join(root, folder, 'node_modules'))

/** Workspaces are links, which it does not follow. */
function prunePackages(folder) {
  for (const entry of foldersOf(folder)) {
    if (entry.startsWith('.')) continue
    const names = entry.startsWith('@') ? foldersOf(join(folder, entry)).map((name) => `${entry}/${name}`) : [entry]
    for (const name of names) prune(name, join(folder, name), '')
  }
}

/** Also removes the folders that become empty. */
function prune(name, base, within) {
  const folder = join(base, within)
  const entries = readdirSync(folder, { withFileTypes: true })
  let left = entries.length
  for (const entry of entries) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.name === 'node_modules') prunePackages(join(base, path))
    else if (entry.isDirectory()) left -= prune(name, base, path)
    else if (entry.isFile() && !isNeeded(name, path, platform)) {
      rmSync(join(base, path))
      left -= 1
    }
  }
  if (left > 0) return 0
  rmdirSync(folder)
  return 1
}

function foldersOf(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}
