import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

export default function ThemeChoice() {
  const { theme } = useMessages(sharedMessages)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choices: { value: MantineColorScheme; label: string }[] = [
    { value: 'light', label: theme.light },
    { value: 'dark', label: theme.dark },
    { value: 'auto', label: theme.auto },
  ]
  return (
    <SegmentedControl
      fullWidth
      size="sm"
      aria-label={theme.legend}
      data={choices}
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
    />
  )
}
