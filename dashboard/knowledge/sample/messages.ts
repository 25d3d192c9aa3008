import type { Messages } from '../../messages/messages.ts'
import { sampleName } from './name.ts'

const en = {
  name: sampleName,
  description:
    'Try out searches with documents from a fictional bicycle workshop and rental shop. Remove this sample when you no longer need it.',
  add: 'Add a sample knowledge base',
  adding: (done: number, all: number) => `Adding document ${done} of ${all}…`,
  help: 'Try searches with documents from a fictional bicycle rental shop.',
  note: 'This is a sample. Its content comes from a fictional bicycle rental shop.',
  remove: 'Remove sample',
  removeTitle: 'Remove the sample knowledge base?',
  removeHelp: 'Its documents and searches will be permanently deleted. You can add the sample again later.',
  removed: 'The sample was removed.',
}

export const sampleMessages: Messages<typeof en> = { en }
