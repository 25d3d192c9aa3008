import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { createContext, use, useCallback, useState, type ReactNode } from 'react'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

export interface Question {
  title: string
  /** What happens, and what cannot be undone. */
  body: ReactNode
  /** What the button says: the deed, not “OK”. */
  action: string
  /** Has to be typed before the button works, for what is large and final. */
  typed?: string
}

type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false))

/** Asks before something is destroyed: `if (await confirm({ … }))`. */
export const useConfirm = (): Confirm => use(ConfirmContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ question: Question; answer: (yes: boolean) => void }>()
  const [open, setOpen] = useState(false)
  const words = useWords(sharedWords)
  const confirm = useCallback<Confirm>((question) => {
    setOpen(true)
    return new Promise((answer) => setAsked({ question, answer }))
  }, [])
  const end = (yes: boolean): void => {
    setOpen(false)
    asked?.answer(yes)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Modal
        opened={open}
        onClose={() => end(false)}
        title={asked?.question.title}
        onExitTransitionEnd={() => setAsked(undefined)}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        {asked && <Body {...asked.question} end={end} />}
      </Modal>
    </ConfirmContext>
  )
}

function Body({ body, action, typed, end }: Question & { end: (yes: boolean) => void }) {
  const words = useWords(sharedWords)
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        end(true)
      }}
    >
      <Stack>
        <Text component="div" size="sm">
          {body}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={words.typeToConfirm(typed)}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => end(false)}>
            {words.cancel}
          </Button>
          <Button type="submit" color="red" disabled={typed !== undefined && text.trim() !== typed}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
