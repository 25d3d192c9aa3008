import { Button, Tooltip, VisuallyHidden, type ButtonProps } from '@mantine/core'
import { useId, type ReactNode } from 'react'

interface ReasonedButtonProps extends ButtonProps {
  /** Why the action is not possible now; undefined if it is. */
  reason: string | undefined
  onClick: () => void
  children: ReactNode
}

/** A button that says why its action is not possible. It can be focused nevertheless, so that the reason reaches every user. */
export function ReasonedButton({ reason, onClick, ...button }: ReasonedButtonProps) {
  const id = useId()
  const isOff = reason !== undefined
  return (
    <>
      <Tooltip label={reason} disabled={!isOff} events={{ hover: true, focus: true, touch: true }} multiline maw={320}>
        <Button
          {...button}
          onClick={() => isOff || onClick()}
          {...(isOff && { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': id })}
        />
      </Tooltip>
      {isOff && <VisuallyHidden id={id}>{reason}</VisuallyHidden>}
    </>
  )
}
