import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const modulesFolder = join(import.meta.dirname, '../node_modules')
const contract = '@groundwork/api/'
const contractFolder = join(import.meta.dirname, '../api')
/** Packages whose entry only lists their modules. Importers of a name need its module alone. */
const lists: Record<string, string> = {
  '@mantine/core': '@mantine/core/esm/index.mjs',
  '@mantine/hooks': '@mantine/hooks/esm/index.mjs',
  '@tabler/icons-react': '@tabler/icons-react/dist/esm/tabler-icons-react.mjs',
}

const imports = /^(?:import|export)\s+(?!type\b)(?:([^'"]*?)\sfrom\s+)?['"]([^'"]+)['"]/gm
const modulesByName = new Map<string, Map<string, string>>()

/**
 * Returns the paths of the modules that a module imports, directly or through others. Of other packages, it follows only the modules of
 * the contract and those in `lists`. It does not follow imports at run time.
 */
export function reachable(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path) || !existsSync(path)) return found
  found.add(path)
  for (const [, names = '', specifier = ''] of readFileSync(path, 'utf8').matchAll(imports)) {
    const list = lists[specifier]
    if (specifier.startsWith('.')) reachable(join(dirname(path), specifier), found)
    else if (specifier.startsWith(contract)) reachable(join(contractFolder, `${specifier.slice(contract.length)}.ts`), found)
    else if (list !== undefined) for (const name of namesIn(names)) reachable(modulesOf(list).get(name) ?? '', found)
  }
  return found
}

/** Returns the path of the module of each name that a list exports. */
function modulesOf(list: string): ReadonlyMap<string, string> {
  const path = join(modulesFolder, list)
  const known = modulesByName.get(list)
  if (known !== undefined) return known
  const modules = new Map<string, string>()
  for (const [, names = '', specifier = ''] of readFileSync(path, 'utf8').matchAll(imports))
    for (const name of namesIn(names)) modules.set(name, join(dirname(path), specifier))
  modulesByName.set(list, modules)
  return modules
}

/** Returns the names in `{ Menu, default as IconKey, type MenuProps }`. Names that an import renames do not occur. */
const namesIn = (clause: string): string[] =>
  clause
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((part) => part.trim().replace(/^default as /, ''))
    .filter((name) => name !== '' && !name.startsWith('type '))
