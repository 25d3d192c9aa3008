import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messageOf, requestIdOf } from '../lib/errors.ts'
import { sharedWords } from '../words/shared.ts'
import { wordsOf } from '../words/words.ts'

/** Says that something is done. */
export const tellDone = (message: string): void => {
  notifications.show({ message, color: 'green', withBorder: true, closeButtonProps: { 'aria-label': wordsOf(sharedWords).close } })
}

/** Says why something did not work, and stays until it is closed. @param title what was tried */
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
