import { command } from './command.ts'
import { UsageError } from './failure.ts'

export const countersignProposal = command({
  words: 'proposals countersign',
  takes: 'ID',
  summary: 'sign a proposal for the organization after all signers',
  options: { name: { type: 'string', value: 'NAME', about: 'full name of the person who signs' } },
  async run({ client, output, signal }, [id = ''], { name }) {
    if (name === undefined) throw new UsageError('--name NAME is required')
    const proposal = await client.proposals.countersign(id, { name }, { signal })
    await output.record(proposal, `signed ${proposal.number ?? proposal.id} as ${name}; it is ${proposal.status}`)
  },
})
