import type { Messages } from '../messages/messages.ts'

const en = {
  title: 'Questions',
  asked: (name: string | null) => (name === null ? 'A recipient asked' : `${name} asked`),
  answered: 'Answered',
  answer: 'Answer',
  answerLabel: (question: string) => `Answer to “${question}”`,
  answerHelp: 'The recipient will see the answer on the proposal page and receive it by email.',
  send: 'Send answer',
  sent: 'The answer was saved.',
  doNotContact: 'Not sent, because the contact has opted out of email',
  unanswered: 'Unanswered',
}

export const questionMessages: Messages<typeof en> = { en }
