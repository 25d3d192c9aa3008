import { maxQuestionLength } from '@groundwork/api'
import type { ExpressionBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Schema } from '../../db/schema.ts'
import type { Formats } from './formats.ts'
import { alertOf } from './alert.ts'
import { html, type Html } from './html.ts'

/** A question of the recipient. Times are texts in JSON. */
export interface ShownQuestion {
  readonly question: string
  readonly asked_at: string
  readonly answer: string | null
  readonly answered_at: string | null
}

/** Selects the questions of a recipient about each proposal. */
export const questionsColumn = (recipientId: string) => (eb: ExpressionBuilder<Schema, 'proposal'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('proposal_question')
      .select(['question', 'asked_at', 'answer', 'answered_at'])
      .whereRef('proposal_question.proposal_id', '=', 'proposal.id')
      .where('recipient_id', '=', recipientId)
      .orderBy('position'),
  )
    .$castTo<ShownQuestion[]>()
    .as('questions')

/** A question that was sent with a mistake. */
export interface QuestionState {
  readonly errors: readonly string[]
  readonly text: string
}

interface Questions {
  readonly secret: string
  readonly questions: readonly ShownQuestion[]
  /** Null if the recipient can no longer ask. */
  readonly form: QuestionState | null
}

/** Returns the questions of the recipient with their answers, and the form for another one. */
export function questionSection({ secret, questions, form }: Questions, formats: Formats): Html | null {
  const { page } = formats.words
  if (questions.length === 0 && form === null) return null
  return html`<section class="questions" id="questions" aria-labelledby="questions-heading">
    <h2 id="questions-heading">${page.questions}</h2>
    ${
      questions.length === 0
        ? null
        : html`<ul class="lines">
            ${questions.map((question) => shownQuestion(question, formats))}
          </ul>`
    }
    ${form === null ? null : questionForm(secret, form, formats)}
  </section>`
}

function shownQuestion({ question, asked_at, answer, answered_at }: ShownQuestion, { words, moment }: Formats): Html {
  const { page } = words
  const at = (time: string): string => moment(new Date(time))
  return html`<li>
    <p class="text" dir="auto">${question}</p>
    <p class="details">${page.askedOn(at(asked_at))}${answer === null ? `. ${page.questionSent}` : null}</p>
    ${
      answer === null || answered_at === null
        ? null
        : html`<div class="given-answer">
            <p class="text" dir="auto">${answer}</p>
            <p class="details">${page.answeredOn(at(answered_at))}</p>
          </div>`
    }
  </li>`
}

const questionForm = (secret: string, { errors, text }: QuestionState, { words: { page } }: Formats): Html =>
  html`<details${errors.length === 0 ? null : html` open`}>
<summary>${page.askQuestion}</summary>
${alertOf(errors)}
<form method="post" action="/p/${secret}/ask#questions">
<label for="question">${page.yourQuestion}</label>
<textarea id="question" name="question" rows="4" maxlength="${maxQuestionLength}" required dir="auto">${text}</textarea>
<button type="submit" class="plain">${page.sendQuestion}</button>
</form>
</details>`
