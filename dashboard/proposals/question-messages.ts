import type { Messages } from '../messages/messages.ts'

const en = {
  title: 'Questions',
  asked: (name: string | null) => (name === null ? 'A recipient asked' : `${name} asked`),
  answered: 'Answered',
  answer: 'Answer',
  answerLabel: (question: string) => `Answer to “${question}”`,
  answerHelp: 'The recipient reads the answer on the page of the proposal and receives it by email.',
  send: 'Send answer',
  sent: 'The answer was sent.',
  unanswered: 'Not answered',
}

export const questionMessages: Messages<typeof en> = { en }
