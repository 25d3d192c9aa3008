import type { Contact } from '@groundwork/sdk'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { command, type Session } from './command.ts'
import { confirm } from './confirm.ts'
import { UsageError } from './failure.ts'
import { positive } from './tokens.ts'

export const findContacts = command({
  words: 'contacts find',
  takes: 'TEXT…',
  summary: 'find contacts by name, address or number, best match first',
  details: 'Finds names with typing errors and in other scripts too.',
  options: { top: { type: 'string', value: 'COUNT', about: 'maximum number of contacts, 1 to 100 (default: 10)' } },
  async run({ client, output, signal }, words, { top = '10' }) {
    const { data } = await client.contacts.search({ q: words.join(' '), limit: positive(top, '--top') }, { signal })
    const rows = data.map(({ contact, score }) => [score.toFixed(2), contact.id, nameOf(contact), contact.email ?? '', contact.phone ?? ''])
    await output.table(data, ['SCORE', 'ID', 'NAME', 'EMAIL', 'PHONE'], rows)
  },
})

export const exportContacts = command({
  words: 'contacts export',
  takes: '',
  summary: 'write contacts to a file or stdout, as CSV, JSON Lines or XLSX',
  details: 'Importing the file again changes nothing.',
  options: {
    format: { type: 'string', value: 'FORMAT', about: 'csv (default), jsonl or xlsx' },
    query: { type: 'string', value: 'TEXT', about: 'only contacts that a search text finds, best match first' },
    filter: { type: 'string', value: 'JSON', about: `only contacts that meet a filter, such as '{"key": "tags", "eq": "vip"}'` },
    bom: { type: 'boolean', about: 'begin a CSV file with a byte order mark, for Excel' },
    output: { type: 'string', short: 'o', value: 'FILE', about: 'the file to write, replaced if it exists (default: stdout)' },
  },
  async run({ client, output, signal }, _, { format = 'csv', query, filter, bom = false, output: path }) {
    if (format !== 'csv' && format !== 'jsonl' && format !== 'xlsx') throw new UsageError('--format must be csv, jsonl or xlsx')
    const body = {
      format,
      bom,
      ...(query !== undefined && { q: query }),
      ...(filter !== undefined && { filter: parsedFilter(filter) }),
    } as const
    const { body: bytes } = await client.contactExports(body, { signal })
    if (bytes === null) return
    const source = Readable.fromWeb(bytes)
    if (path === undefined) {
      await pipeline(source, process.stdout, { end: false, signal })
      return
    }
    await pipeline(source, createWriteStream(path), { signal })
    await output.record({ file: path }, `wrote ${path}`)
  },
})

function parsedFilter(text: string): Record<string, never> {
  try {
    return JSON.parse(text) as Record<string, never>
  } catch {
    throw new UsageError('--filter must be JSON')
  }
}

export const mergeContacts = command({
  words: 'contacts merge',
  takes: 'CONTACT OTHER…',
  summary: 'merge contacts into the first one; can be undone for 30 days',
  options: {
    'dry-run': { type: 'boolean', about: 'show what would be merged, and change nothing' },
    yes: { type: 'boolean', about: 'do not ask for confirmation' },
  },
  async run(session, [id = '', ...otherIds], options) {
    const { client, output, signal } = session
    const planned = await client.contacts.merge(id, { otherIds, dryRun: true }, { signal })
    const moved = planned.moved.map(({ kind, count }) => `${count} ${kind}`).join(', ')
    const omitted = planned.omitted.length === 0 ? '' : `; ${planned.omitted.length} values do not fit`
    const plan = `${count(otherIds.length, 'contact')} into ${described(planned.contact)}${moved === '' ? '' : `, with ${moved}`}${omitted}`
    if (options['dry-run']) return output.record(planned, `would merge ${plan}`)
    if (!options.yes) await confirm(session, `Merge ${plan}?`)
    const merged = await client.contacts.merge(id, { otherIds }, { signal })
    await output.record(merged, `merged into ${merged.contact.id}`)
  },
})

export const eraseContact = command({
  words: 'contacts erase',
  takes: 'CONTACT',
  summary: 'erase the personal data of a contact everywhere, for good',
  options: {
    'prevent-reimport': { type: 'boolean', about: 'keep hashes of the addresses and numbers, so that imports refuse them' },
    'dry-run': { type: 'boolean', about: 'show what would be erased, and change nothing' },
    yes: { type: 'boolean', about: 'do not ask for confirmation' },
  },
  async run(session, [id = ''], options) {
    const { client, output, signal } = session
    const contact = await client.contacts.get(id, { signal })
    const preventReimport = options['prevent-reimport'] ?? false
    const planned = await client.contacts.erase(contact.id, { dryRun: true, preventReimport }, { signal })
    if (options['dry-run']) return output.record(planned, receipt('would erase', planned))
    if (!output.json) output.note(receipt('erases', planned))
    if (!options.yes) await confirm(session, `Erase ${described(contact)} permanently?`)
    const erased = await client.contacts.erase(contact.id, { preventReimport }, { signal })
    await output.record(erased, receipt('erased', erased))
  },
})

type Erasure = Awaited<ReturnType<Session['client']['contacts']['erase']>>

/** Returns what is erased and kept, one kind in each line. */
const receipt = (verb: string, { erased, kept }: Erasure): string =>
  [
    ...erased.map((each) => `${verb} ${each.count} ${words(each.kind)}`),
    ...kept.map(
      (each) =>
        `keeps ${each.count === null ? '' : `${each.count} `}${words(each.kind)}: ${each.reason}${each.until === null ? '' : ` Until ${each.until.slice(0, 10)}.`}`,
    ),
  ].join('\n')

const words = (kind: string): string => kind.replaceAll('_', ' ')
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const nameOf = ({ firstName, lastName }: Contact): string => [firstName, lastName].filter((name) => name !== null).join(' ')

/** Returns a contact as a question names it. */
function described(contact: Contact): string {
  const name = nameOf(contact)
  return JSON.stringify(name === '' ? (contact.email ?? contact.phone ?? contact.id) : name)
}
