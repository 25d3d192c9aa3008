import { importEncodings } from '@groundwork/api'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContactImport } from '@groundwork/sdk'
import { progressBar } from './board.ts'
import { command, type Session } from './command.ts'
import { UsageError } from './failure.ts'
import { printable } from './output.ts'

const pollMs = 500

export const importContacts = command({
  words: 'contacts import',
  takes: 'FILE',
  summary: 'import contacts from a CSV or XLSX file, and show the progress',
  details:
    'Waits until the import ends. Rows that fail are written to FILE.errors.csv: correct them and import this file.\nThe exit code is 1 if rows failed.',
  options: {
    'dry-run': { type: 'boolean', about: 'count what the import would do, and change nothing' },
    mode: { type: 'string', value: 'MODE', about: 'upsert (default), create or update' },
    match: { type: 'string', value: 'FIELD', about: 'field that identifies contacts: externalId, email or phone (default: the first one)' },
    encoding: { type: 'string', value: 'NAME', about: 'encoding of a CSV file, such as windows-1252 (guessed by default)' },
    tags: { type: 'string', value: 'LIST', about: 'tags for all contacts of the file, separated by commas' },
    errors: { type: 'string', value: 'FILE', about: 'the file for rows that fail (default: FILE.errors.csv)' },
  },
  async run(session, [path = ''], { 'dry-run': dryRun = false, mode = 'upsert', match, encoding, tags, errors = `${path}.errors.csv` }) {
    const { client, output, signal } = session
    if (mode !== 'upsert' && mode !== 'create' && mode !== 'update') throw new UsageError('--mode must be upsert, create or update')
    if (match !== undefined && match !== 'externalId' && match !== 'email' && match !== 'phone')
      throw new UsageError('--match must be externalId, email or phone')
    const knownEncoding = importEncodings.find((name) => name === encoding)
    if (encoding !== undefined && knownEncoding === undefined)
      throw new UsageError(`--encoding must be one of ${importEncodings.join(', ')}`)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || !found.isFile()) throw new UsageError(`the file ${path} does not exist`)
    const upload = await client.uploads.create(new Uint8Array(await readFile(path)), { name: basename(path), signal })
    const started = await client.contactImports.create(
      {
        storageUrl: upload.storageUrl,
        mode,
        dryRun,
        ...(match !== undefined && { matchOn: match }),
        ...(knownEncoding !== undefined && { encoding: knownEncoding }),
        ...(tags !== undefined && { tags: tags.split(',') }),
      },
      { signal },
    )
    const ended = await waitUntilEnded(session, started, basename(path))
    if (ended.counts.failed > 0) {
      const rows = await client.contactImports.errors(ended.id, { signal })
      await writeFile(errors, new Uint8Array(await rows.arrayBuffer()))
      output.note(`${ended.counts.failed} rows failed; they are in ${errors}`)
    }
    await output.record(ended, summaryOf(ended))
    return ended.status !== 'completed' || ended.counts.failed > 0
  },
})

async function waitUntilEnded({ client, output, signal }: Session, started: ContactImport, label: string): Promise<ContactImport> {
  const board = output.board()
  let current = started
  while (current.status === 'queued' || current.status === 'running') {
    const { done, total } = current.progress
    board.update(started, printable(label), current.status, progressBar(done, total ?? 0, 'rows'))
    await sleep(pollMs, undefined, { signal })
    current = await client.contactImports.get(started.id, { signal })
  }
  board.close()
  return current
}

function summaryOf({ status, dryRun, counts, error, id }: ContactImport): string {
  if (status !== 'completed') return `the import ${status}${error === null ? '' : `: ${printable(error)}`}  ${id}`
  const { created, updated, unchanged, failed } = counts
  return `${dryRun ? 'would have ' : ''}created ${created}, updated ${updated}, unchanged ${unchanged}, failed ${failed}  ${id}`
}
