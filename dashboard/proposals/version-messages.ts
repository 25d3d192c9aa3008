import type { Messages } from '../messages/messages.ts'

const en = {
  duplicate: 'Duplicate',
  duplicated: 'A draft with the same content was created.',
  revise: 'Revise',
  reviseHelp: 'Creates a draft that replaces this proposal when you send it.',
  revised: 'A draft was created. The proposal stays as it is until you send the draft.',
  revisedAlready: 'This proposal is being revised already, or was replaced. Open the latest version.',
  supersededBy: (name: string) => `Replaced by ${name}`,
  supersedes: (name: string) => `Revision of ${name}`,
  supersedesHelp: 'Sending this draft replaces that proposal. Its link then leads to the new version.',
}

export const versionMessages: Messages<typeof en> = { en }
