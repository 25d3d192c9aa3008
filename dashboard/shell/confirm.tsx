import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { createContext, use, useCallback, useState, type ReactNode } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

export interface Question {
  title: string
  /** Describes the consequences, and whether they can be undone. */
  body: ReactNode
  /** The button label: a verb and a noun, not “OK”. */
  action: string
  /** False for an action that removes nothing, such as sending: its button is not red. True by default. */
  isDestructive?: boolean
  /** The label of the other button; “Cancel” by default. */
  cancel?: string
  /** A text that the user must type to enable the button. For large, permanent changes. */
  typed?: string
}

type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false))

/** Returns a function that asks for confirmation: `if (await confirm({ … }))`. */
export const useConfirm = (): Confirm => use(ConfirmContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<{ question: Question; resolve: (confirmed: boolean) => void }>()
  const [open, setOpen] = useState(false)
  const messages = useMessages(sharedMessages)
  const confirm = useCallback<Confirm>((question) => {
    setOpen(true)
    return new Promise((resolve) => setPending({ question, resolve }))
  }, [])
  const close = (confirmed: boolean): void => {
    setOpen(false)
    pending?.resolve(confirmed)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Modal
        opened={open}
        onClose={() => close(false)}
        // Not by Mantine's listener, which can run before that of the dialog of a form: it would close too, and ask again.
        closeOnEscape={false}
        onKeyDown={(event) => event.key === 'Escape' && close(false)}
        title={pending?.question.title}
        onExitTransitionEnd={() => setPending(undefined)}
        closeButtonProps={{ 'aria-label': messages.close }}
        // Above the dialog of a form.
        zIndex={300}
      >
        {pending && <Body {...pending.question} close={close} />}
      </Modal>
    </ConfirmContext>
  )
}

function Body({ body, action, isDestructive = true, cancel, typed, close }: Question & { close: (confirmed: boolean) => void }) {
  const messages = useMessages(sharedMessages)
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        close(true)
      }}
    >
      <Stack>
        <Text component="div" size="sm">
          {body}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={messages.typeToConfirm(typed)}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => close(false)}>
            {cancel ?? messages.cancel}
          </Button>
          <Button type="submit" {...(isDestructive && { color: 'red' })} disabled={typed !== undefined && text.trim() !== typed}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
