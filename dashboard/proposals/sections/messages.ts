import type { Messages } from '../../messages/messages.ts'

const en = {
  title: 'Text and files',
  help: 'Sections appear after the message, in this order. Text supports Markdown: **bold**, *italic*, # heading, - list, [link](https://example.com).',
  types: { text: 'Text', terms: 'Terms', items: 'Line items', image: 'Image', attachment: 'Attached PDF' },
  add: { text: 'Add text', terms: 'Add terms', items: 'Place line items', image: 'Add image', attachment: 'Attach PDF' },
  section: (number: number, type: string) => `Section ${number}: ${type}`,
  itemsHelp: 'Line items and totals appear here. Without this section, they appear at the end.',
  text: 'Text (Markdown)',
  alt: 'Image description',
  altHelp: 'Describes the image for people who cannot see it.',
  name: 'Name shown to the recipient',
  chooseImage: 'Choose PNG or JPEG',
  choosePdf: 'Choose PDF',
  noFile: 'No file chosen',
  sending: 'Uploading…',
  up: (number: number) => `Move section ${number} up`,
  down: (number: number) => `Move section ${number} down`,
  remove: (number: number) => `Remove section ${number}`,
}

export const sectionMessages: Messages<typeof en> = { en }
