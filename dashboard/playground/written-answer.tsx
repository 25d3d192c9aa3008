import type { AnswerEvent } from '@groundwork/api'
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { systemQuery } from '../settings/system/queries.ts'
import { ErrorState } from '../shell/states.tsx'
import { answerBodyOf, type Asked } from './asked.ts'
import { playgroundMessages } from './messages.ts'

type Sentence = Extract<AnswerEvent, { type: 'text' }>
type End = Extract<AnswerEvent, { type: 'end' }>

interface Answer {
  readonly isWriting: boolean
  readonly passages: readonly string[]
  readonly sentences: readonly Sentence[]
  readonly end: End | null
  readonly error: unknown
}

const nothing: Answer = { isWriting: false, passages: [], sentences: [], end: null, error: null }

/** Lets the chat model of the installation answer the question, if there is one. Shows each sentence as it arrives. */
export function WrittenAnswer({ baseId, asked }: { baseId: string; asked: Asked }) {
  const messages = useMessages(playgroundMessages)
  const workspace = useWorkspace()
  const { data: system } = useQuery({ ...systemQuery(workspace), enabled: useMay('organization:read') })
  const { answer, write } = useAnswer(baseId, asked)
  const model = system?.chat?.model
  if (model === undefined) return null
  if (answer === nothing)
    return (
      <Group>
        <Button variant="default" leftSection={<IconSparkles size={16} aria-hidden />} onClick={write}>
          {messages.writeAnswer}
        </Button>
      </Group>
    )
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="written-answer">
      <Stack gap="xs">
        <Text component="h2" id="written-answer" fw={600} m={0}>
          {messages.answerTitle}
        </Text>
        <div role="status" aria-busy={answer.isWriting}>
          <Text className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
            {answer.sentences.map((sentence) => (
              <WrittenSentence key={sentence.id} sentence={sentence} passages={answer.passages} />
            ))}
            {answer.isWriting && <Text span c="dimmed">{` ${messages.writing}`}</Text>}
          </Text>
          <Outcome end={answer.end} />
        </div>
        {answer.error !== null && <ErrorState error={answer.error} retry={write} busy={answer.isWriting} />}
        <Text size="xs" c="dimmed">
          {messages.answerHelp(model)}
        </Text>
      </Stack>
    </Paper>
  )
}

function useAnswer(baseId: string, asked: Asked): { answer: Answer; write: () => void } {
  const { client } = useWorkspace()
  const [answer, setAnswer] = useState(nothing)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])

  async function read(signal: AbortSignal): Promise<void> {
    try {
      for await (const event of client.bases.answer(baseId, answerBodyOf(asked), { signal }))
        setAnswer((before) => withEvent(before, event))
    } catch (error) {
      if (!signal.aborted) setAnswer((before) => ({ ...before, isWriting: false, error }))
    }
  }
  return {
    answer,
    write() {
      setAnswer({ ...nothing, isWriting: true })
      void read(leaving.current.signal)
    },
  }
}

function withEvent(answer: Answer, event: AnswerEvent): Answer {
  if (event.type === 'passages') return { ...answer, passages: event.data.map(({ chunkId }) => chunkId) }
  if (event.type === 'text') return { ...answer, sentences: [...answer.sentences, event] }
  return { ...answer, isWriting: false, end: event }
}

/** A sentence with links to the passages that support it. */
function WrittenSentence({ sentence: { text, citations }, passages }: { sentence: Sentence; passages: readonly string[] }) {
  const messages = useMessages(playgroundMessages)
  const show = (chunkId: string): void => {
    const passage = document.getElementById(chunkId)
    passage?.scrollIntoView({ block: 'center' })
    passage?.focus()
  }
  const ranks = citations.map(({ chunkId }) => ({ chunkId, rank: passages.indexOf(chunkId) + 1 }))
  return (
    <>
      {text.trimEnd()}
      {ranks.map(({ chunkId, rank }) => (
        <Anchor
          key={chunkId}
          component="button"
          type="button"
          size="xs"
          ml={4}
          aria-label={messages.answerPassage(rank)}
          onClick={() => show(chunkId)}
        >
          [{rank}]
        </Anchor>
      ))}
      {/\s$/.test(text) ? ' ' : ''}
    </>
  )
}

function Outcome({ end }: { end: End | null }) {
  const messages = useMessages(playgroundMessages)
  if (end === null) return null
  const notes = [
    ...(end.reason === null ? [] : [messages.answerEnd[end.reason]]),
    ...(end.withheldSentences > 0 && end.answer !== '' ? [messages.answerWithheld(end.withheldSentences)] : []),
  ]
  return notes.map((note) => (
    <Text key={note} size="sm" c="dimmed">
      {note}
    </Text>
  ))
}
