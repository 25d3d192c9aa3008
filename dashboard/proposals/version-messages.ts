import type { Messages } from '../messages/messages.ts'

const en = {
  duplicate: 'Duplicate',
  duplicated: 'A draft with the same content was created.',
  revise: 'Revise',
  reviseHelp: 'Creates a draft that replaces this proposal when you send it.',
  revised: 'A draft was created. The proposal will not change until you send the draft.',
  revisedAlready: 'This proposal is already being revised or has been replaced. Open the latest version.',
  supersededBy: (name: string) => `Replaced by ${name}`,
  supersedes: (name: string) => `Revision of ${name}`,
  supersedesHelp: 'Sending this draft replaces that proposal. Its link will then open the new version.',
}

export const versionMessages: Messages<typeof en> = { en }
