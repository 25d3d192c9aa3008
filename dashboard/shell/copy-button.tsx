import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

const copiedMs = 2_000

/** A button that copies a text. Without a label, it is an icon. The text can be made on click. @param name names the copied text for screen readers */
export function CopyButton({ value, name, label }: { value: string | (() => string); name: string; label?: string }) {
  const messages = useMessages(sharedMessages)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => void copyText(typeof value === 'string' ? value : value()).then(setCopied)
  const Icon = copied ? IconCheck : IconCopy
  const tooltip = copied ? messages.copied : messages.copy
  if (label !== undefined) {
    return (
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={copy}>
        <span aria-live="polite">{copied ? messages.copied : label}</span>
      </Button>
    )
  }
  return (
    <Tooltip label={tooltip}>
      <ActionIcon variant="subtle" color="gray" size={36} onClick={copy} aria-label={`${tooltip}: ${name}`}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Copies a text. Over plain http, as in many local networks, the clipboard API is not available, so this uses execCommand. */
async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
