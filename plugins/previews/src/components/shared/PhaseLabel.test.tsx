import { phases } from '@previews/backstage-plugin-previews-common';
import { screen } from '@testing-library/react';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { PhaseLabel } from './PhaseLabel';

describe('a phase', () => {
  it('is told by a word and an icon of its own, and not by its colour alone', async () => {
    await renderFace(
      <ul>
        {phases.map(phase => (
          <li key={phase}>
            <PhaseLabel phase={phase} />
          </li>
        ))}
      </ul>,
    );
    const labels = screen.getAllByRole('listitem');
    const words = labels.map(({ textContent }) => textContent);
    const icons = labels.map(
      label => label.querySelector('svg[aria-hidden="true"]')?.innerHTML,
    );
    expect(words).not.toContain('');
    expect(icons).not.toContain(undefined);
    expect(new Set(words).size).toBe(phases.length);
    expect(new Set(icons).size).toBe(phases.length);
  });
});
