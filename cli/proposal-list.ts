import { proposalSorts, proposalStates } from '@groundwork/api'
import { all } from './all.ts'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { oneOf } from './sources.ts'

export const listProposals = command({
  words: 'proposals list',
  takes: '',
  summary: 'list proposals, newest first',
  options: {
    status: { type: 'string', value: 'STATUS', about: proposalStates.join(', ') },
    query: { type: 'string', short: 'q', value: 'TEXT', about: 'only proposals with this text in the title, the message or the number' },
    contact: { type: 'string', value: 'CONTACT_ID', about: 'only proposals to this contact' },
    sort: { type: 'string', value: 'ORDER', about: proposalSorts.join(', ') },
    csv: { type: 'boolean', about: 'print CSV with the dates and amounts of each proposal' },
  },
  async run({ client, output, signal }, _arguments, { query: q, contact: contactId, csv, ...options }) {
    const status = oneOf(proposalStates, options.status, '--status')
    const sort = oneOf(proposalSorts, options.sort, '--sort')
    const query = { status, q, contactId, sort }
    if (csv === true) {
      if (output.json) throw new UsageError('--csv cannot be combined with --json')
      const { body } = await client.proposals.export(query, { signal })
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) await output.text(text)
      return
    }
    const proposals = await all(client.proposals.list({ ...query, limit: 100 }, { signal }))
    const rows = proposals.map((each) => [each.id, each.number ?? '', each.status, `${each.totalAmount} ${each.currency}`, each.title])
    await output.table(proposals, ['ID', 'NUMBER', 'STATUS', 'TOTAL', 'TITLE'], rows)
  },
})
