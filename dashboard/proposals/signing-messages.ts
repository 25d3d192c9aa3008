import type { Messages } from '../messages/messages.ts'

const en = {
  title: 'Recipients',
  help: 'The contact signs first. Add other signers or people who receive a copy.',
  recipient: (number: number) => `Recipient ${number}`,
  add: 'Add recipient',
  remove: (number: number) => `Remove recipient ${number}`,
  role: 'Role',
  roles: { signer: 'Signs', copy: 'Receives a copy' },
  kind: 'Recipient type',
  kinds: { person: 'Another person', contact: 'A contact' },
  contact: 'Contact',
  name: 'Full name',
  email: 'Email',
  order: 'Signing order',
  orders: { parallel: 'All at once', sequential: 'One after the other' },
  counterSignature: 'Your organization signs last',
  copy: 'Copy',
  waits: 'Waiting for others',
  ofOrganization: 'Your organization',
  notSignedYet: 'Not signed yet',
  sign: 'Countersign',
  signTitle: 'Sign for your organization?',
  signHelp: 'All signers have signed. Your signature completes the proposal and cannot be undone.',
  waitsForSigners: 'All signers must sign first.',
  notYet: 'Not all signers have signed yet, or the proposal has changed. Reload the page to see its status.',
  yourName: 'Your full name',
  signed: 'Everyone has signed the proposal.',
}

export const signingMessages: Messages<typeof en> = { en }
