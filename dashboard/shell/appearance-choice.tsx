import { Menu, Stack, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { chooseDensity, currentDensity, densities, type Density } from '../lib/density.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** The choices of a person about the look of the dashboard, kept in the browser. For a menu. */
export function AppearanceChoice() {
  return (
    <Stack gap={8}>
      <ThemeChoice />
      <DensityChoice />
    </Stack>
  )
}

const schemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto']

function ThemeChoice() {
  const { theme } = useMessages(sharedMessages)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return <Choice label={theme.legend} values={schemes} labels={theme} value={colorScheme} onChange={setColorScheme} />
}

function DensityChoice() {
  const { density: words } = useMessages(sharedMessages)
  const [density, setDensity] = useState(currentDensity)
  const choose = (chosen: Density): void => {
    chooseDensity(chosen)
    setDensity(chosen)
  }
  return <Choice label={words.legend} values={densities} labels={words} value={density} onChange={choose} />
}

interface ChoiceProps<T extends string> {
  label: string
  values: readonly T[]
  labels: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

/** Items of a menu beside each other, one of which is chosen. The menu stays open. A segmented control is not allowed in a menu. */
function Choice<T extends string>({ label, values, labels, value, onChange }: ChoiceProps<T>) {
  return (
    <div className="menu-choice" role="group" aria-label={label} onKeyDown={moveSideways}>
      {values.map((each) => (
        <Menu.RadioItem key={each} value={each} checked={each === value} onChange={() => onChange(each)}>
          {labels[each]}
        </Menu.RadioItem>
      ))}
    </div>
  )
}

/** The menu moves the focus with the keys up and down alone. */
function moveSideways({ key, target }: KeyboardEvent): void {
  if (!(target instanceof HTMLElement)) return
  const { nextElementSibling: next, previousElementSibling: previous } = target
  const other = key === 'ArrowRight' ? next : key === 'ArrowLeft' ? previous : null
  if (other instanceof HTMLElement) other.focus()
}
