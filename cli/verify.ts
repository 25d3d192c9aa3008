import { parseSigningKeys, verifyCertificates, type CertificateCheck } from '@groundwork/sdk'
import { readFile } from 'node:fs/promises'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { printable, type Output } from './output.ts'

export const verifyFiles = command({
  words: 'verify',
  takes: 'FILE…',
  summary: 'verify certificates and PDFs of completed proposals, without network',
  details:
    'Checks each certificate by itself, and several of an organization as a chain. Needs no token and no running Groundwork.\nExits with 1 if a check fails. A line with ? could not be checked.',
  options: {
    keys: { type: 'string', value: 'FILE', about: "the organization's public keys, from /.well-known/groundwork-keys.json" },
  },
  async run({ output }, names, { keys: keyFile }) {
    const keys = keyFile === undefined ? undefined : await parseSigningKeys((await read(keyFile)).toString('utf8'))
    const files = await Promise.all(names.map(async (name) => ({ name, content: await read(name) })))
    const checks = await verifyCertificates(files, { keys })
    for (const [index, check] of checks.entries()) await write(output, check, checks[index - 1])
    return checks.some(({ holds }) => holds === false)
  },
})

/** @throws UsageError if the file cannot be read */
const read = (name: string): Promise<Buffer> =>
  readFile(name).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === 'ENOENT' ? `the file ${name} does not exist` : `cannot read ${name}: ${error.message}`)
  })

async function write(output: Output, check: CertificateCheck, before: CertificateCheck | undefined): Promise<void> {
  const { file, holds, detail } = check
  if (!output.json && (before === undefined || before.file !== file)) await output.text(`${printable(file ?? 'All files')}\n`)
  const { green, red, dim } = output.paint
  const mark = holds === null ? dim('?   ') : holds ? green('ok  ') : red('FAIL')
  await output.record(check, `  ${mark}  ${check.check.padEnd(9)}  ${printable(detail)}`)
}
