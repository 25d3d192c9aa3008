import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { root, shell } from './program.ts'

/** The guides for contributors in `docs/contributing/` that change code. */
export const guides = ['add-a-field', 'add-an-endpoint', 'add-a-file-format', 'add-a-source-type']

/** The beginning of a command that runs tests. */
export const checkTests = 'npx vitest run '

interface Block {
  readonly language: string
  /** The file that the block creates or changes; empty for commands. */
  readonly file: string
  readonly text: string
}

/** Makes the changes of a guide, and returns its commands. */
export async function follow(folder: string, guide: string): Promise<string[]> {
  const commands: string[] = []
  for (const { language, file, text } of await blocksOf(guide)) {
    if (language === 'diff') await change(join(folder, file), text)
    else if (file !== '') await create(join(folder, await numbered(file)), text)
    else if (/^np[mx] /.test(text)) commands.push(...text.split('\n'))
  }
  return commands
}

/** Returns the code blocks of a guide in order. A file name follows the language of its block. */
async function blocksOf(guide: string): Promise<Block[]> {
  const markdown = await readFile(join(root, `docs/contributing/${guide}.md`), 'utf8')
  return [...markdown.matchAll(/^( *)```(\w+)(?: (\S+))?\n([^]*?)\n\1```$/gm)].map(
    ([, indent = '', language = '', file = '', text = '']) => ({
      language,
      file,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/**
 * Applies a diff without line numbers: the hunks are separated by `@@`, and their lines begin with a space, a plus or a minus sign.
 * @throws Error unless the former lines of each hunk occur once in the file
 */
async function change(path: string, diff: string): Promise<void> {
  let content = await readFile(path, 'utf8')
  for (const hunk of diff.split('\n@@\n')) {
    const lines = hunk.split('\n')
    const side = (marks: string): string =>
      lines
        .filter((line) => line === '' || marks.includes(line.charAt(0)))
        .map((line) => `${line.slice(1)}\n`)
        .join('')
    const parts = `\n${content}`.split(`\n${side(' -')}`)
    if (parts.length !== 2) throw new Error(`these lines occur ${parts.length - 1} times in ${path}:\n${side(' -')}`)
    content = parts.join(`\n${side(' +')}`).slice(1)
  }
  await writeFile(path, content)
}

async function create(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${text}\n`, { flag: 'wx' })
}

/** Replaces NNNN by the number after the last one in the folder. */
async function numbered(file: string): Promise<string> {
  if (!basename(file).startsWith('NNNN')) return file
  const names = await readdir(join(root, dirname(file)))
  const last = Math.max(...names.map((name) => Number.parseInt(name, 10)).filter(Number.isFinite))
  return file.replace('NNNN', String(last + 1).padStart(4, '0'))
}

/** Returns the standard output of the commands. */
export async function run(folder: string, commands: string): Promise<string> {
  const { stdout: output } = await promisify(execFile)('bash', ['-ec', commands], { cwd: folder, env: shell(), maxBuffer: 1e8 }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${commands}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`)
    },
  )
  return output
}

/** Returns a folder with copies of the files that a guide changes, and no others. */
export async function copyOfChangedFiles(guide: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-guide-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const { language, file } of await blocksOf(guide)) if (language === 'diff') await cp(join(root, file), join(folder, file))
  return folder
}

const leftOut = ['node_modules', './.git', './data', './.tmp', './coverage']

/** Returns a copy whose installed packages are links, but whose workspaces are its own. */
export async function copyOfRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-guide-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Timestamps keep the compiled output valid.
  await run(root, `tar -c ${leftOut.map((name) => `--exclude=${name}`).join(' ')} . | tar -x -C ${folder}`)
  const packages = join(folder, 'node_modules')
  await mkdir(packages)
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@groundwork') await symlink(join(root, 'node_modules', name), join(packages, name))
  }
  await mkdir(join(packages, '@groundwork'))
  for (const name of await readdir(join(root, 'node_modules/@groundwork'))) {
    await symlink(await readlink(join(root, 'node_modules/@groundwork', name)), join(packages, '@groundwork', name))
    const own = join(root, name, 'node_modules')
    await symlink(own, join(folder, name, 'node_modules'))
  }
  return folder
}
