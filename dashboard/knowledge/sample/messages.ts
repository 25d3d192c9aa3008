import type { Messages } from '../../messages/messages.ts'
import { sampleName } from './name.ts'

const en = {
  name: sampleName,
  description: 'The documents of an imaginary bicycle workshop and rental, to try searches with. Remove it when you no longer need it.',
  add: 'Add a sample knowledge base',
  adding: (done: number, all: number) => `Adding document ${done} of ${all}…`,
  help: 'Documents of an imaginary bicycle rental, to try searches with.',
  note: 'This is a sample. Its questions and answers are those of an imaginary bicycle rental.',
  remove: 'Remove sample',
  removeTitle: 'Remove the sample knowledge base?',
  removeHelp: 'Its documents and searches are permanently deleted. You can add the sample again.',
  removed: 'The sample was removed.',
}

export const sampleMessages: Messages<typeof en> = { en }
