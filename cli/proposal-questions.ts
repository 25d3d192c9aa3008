import { command } from './command.ts'
import { UsageError } from './failure.ts'

export const listQuestions = command({
  words: 'proposals questions',
  takes: 'ID',
  summary: 'list the questions about a proposal with their answers',
  options: {},
  async run({ client, output, signal }, [id = '']) {
    const { data } = await client.proposals.questions.list(id, { signal })
    const rows = data.map((each) => [each.id, each.askedAt, each.name ?? '', each.question, each.answer ?? 'not answered'])
    await output.table(data, ['ID', 'ASKED', 'BY', 'QUESTION', 'ANSWER'], rows)
  },
})

export const answerQuestion = command({
  words: 'proposals answer',
  takes: 'ID QUESTION_ID',
  summary: 'answer a question about a proposal',
  options: { text: { type: 'string', value: 'TEXT', about: 'the answer, which the recipient receives by email' } },
  async run({ client, output, signal }, [id = '', questionId = ''], { text }) {
    if (text === undefined) throw new UsageError('--text TEXT is required')
    const question = await client.proposals.questions.answer(id, questionId, { answer: text }, { signal })
    await output.record(question, `answered ${question.id}`)
  },
})
