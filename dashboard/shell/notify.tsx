import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messageOf } from '../lib/errors.ts'
import { sharedMessages } from '../messages/shared.ts'
import { messagesOf } from '../messages/messages.ts'
import { FailedRequest } from './request-id.tsx'

/** Shows a success notification. */
export const notifySuccess = (message: string): void => {
  notifications.show({ message, color: 'green', withBorder: true, closeButtonProps: { 'aria-label': messagesOf(sharedMessages).close } })
}

const undoMs = 15_000

/** Shows a notification with an Undo button for 15 seconds. @param undo handles its own errors */
export const notifyUndoable = (message: string, undo: () => void): void => {
  const words = messagesOf(sharedMessages)
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

interface NotificationAction {
  label: string
  run: () => void
}

/** Shows an error notification that stays until the user closes it. */
export const notifyError = (error: unknown, title: string = messagesOf(sharedMessages).failed, action?: NotificationAction): void => {
  const words = messagesOf(sharedMessages)
  const id = notifications.show({
    title,
    color: 'red',
    withBorder: true,
    autoClose: false,
    closeButtonProps: { 'aria-label': words.close },
    // Below a title, Mantine dims the message to a contrast of 3.3.
    styles: { description: { color: 'var(--mantine-color-text)' } },
    message: (
      <>
        {messageOf(error)}
        <FailedRequest error={error} />
        {action !== undefined && (
          <Group mt="xs">
            <Button
              size="compact-sm"
              mih={36}
              variant="light"
              onClick={() => {
                notifications.hide(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          </Group>
        )}
      </>
    ),
  })
}
