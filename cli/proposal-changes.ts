import { command } from './command.ts'
import { UsageError } from './failure.ts'

export const sendProposal = command({
  words: 'proposals send',
  takes: 'ID',
  summary: 'send a draft of a proposal',
  options: { 'content-hash': { type: 'string', value: 'HASH', about: 'refuse to send a draft with another contentHash' } },
  async run({ client, output, signal }, [id = ''], { 'content-hash': expectContentHash }) {
    const proposal = await client.proposals.send(id, expectContentHash === undefined ? undefined : { expectContentHash }, { signal })
    await output.record(proposal, `sent ${proposal.number ?? proposal.id}: ${proposal.url ?? ''}`)
  },
})

export const voidProposal = command({
  words: 'proposals void',
  takes: 'ID',
  summary: 'void a draft or a pending proposal',
  options: { reason: { type: 'string', value: 'TEXT', about: 'the reason, which its recipients read' } },
  async run({ client, output, signal }, [id = ''], { reason }) {
    if (reason === undefined) throw new UsageError('--reason TEXT is required')
    const proposal = await client.proposals.void(id, { reason }, { signal })
    await output.record(proposal, `voided ${proposal.number ?? proposal.id}`)
  },
})

export const duplicateProposal = command({
  words: 'proposals duplicate',
  takes: 'ID',
  summary: 'create a draft with the content of a proposal',
  options: {},
  async run({ client, output, signal }, [id = '']) {
    const draft = await client.proposals.duplicate(id, { signal })
    await output.record(draft, `created the draft ${draft.id}`)
  },
})

export const reviseProposal = command({
  words: 'proposals revise',
  takes: 'ID',
  summary: 'create a draft that replaces a proposal when it is sent',
  options: {},
  async run({ client, output, signal }, [id = '']) {
    const draft = await client.proposals.revise(id, { signal })
    await output.record(draft, `created the draft ${draft.id}; "groundwork proposals send ${draft.id}" replaces ${id}`)
  },
})
