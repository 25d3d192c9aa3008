import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messageOf, requestIdOf } from '../lib/errors.ts'
import { sharedWords } from '../words/shared.ts'
import { wordsOf } from '../words/words.ts'

/** Shows a success notification. */
export const tellDone = (message: string): void => {
  notifications.show({ message, color: 'green', withBorder: true, closeButtonProps: { 'aria-label': wordsOf(sharedWords).close } })
}

const undoMs = 15_000

/** Shows a notification with an Undo button for 15 seconds. @param undo handles its own errors */
export const tellUndoable = (message: string, undo: () => void): void => {
  const words = wordsOf(sharedWords)
  const id = notifications.show({
    autoClose: undoMs,
    withBorder: true,
    color: 'gray',
    closeButtonProps: { 'aria-label': words.close },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span className="wrap">{message}</span>
        <Button
          size="compact-sm"
          mih={36}
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {words.undo}
        </Button>
      </Group>
    ),
  })
}

/** Shows an error notification that stays until the user closes it. */
export const tellFailed = (error: unknown, title: string = wordsOf(sharedWords).failed): void => {
  const words = wordsOf(sharedWords)
  const requestId = requestIdOf(error)
  notifications.show({
    title,
    color: 'red',
    withBorder: true,
    autoClose: false,
    closeButtonProps: { 'aria-label': words.close },
    message: (
      <>
        {messageOf(error)}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed" className="wrap">
            {words.request} {requestId}
          </Text>
        )}
      </>
    ),
  })
}
