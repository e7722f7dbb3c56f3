import { screen } from '@testing-library/react';
import { certificateSituations } from '../../testing/certificates';
import { renderFace } from '../../testing/__testUtils__/renderFace';
import { CertificateLabel } from './CertificateLabel';

async function renderCell(
  situation: keyof typeof certificateSituations,
  more = 0,
) {
  const { certificates } = certificateSituations[situation]();
  await renderFace(
    <div data-testid="cell">
      <CertificateLabel
        certificates={[
          ...certificates,
          ...Array.from({ length: more }, (_, index) => ({
            ...certificates[0],
            name: `other-${index}`,
            notAfter: '2028-01-01T00:00:00Z',
          })),
        ]}
      />
    </div>,
  );
  return screen.getByTestId('cell');
}

describe('the certificate cell', () => {
  it.each<[keyof typeof certificateSituations, RegExp]>([
    ['ready', /^78 d.*Let's Encrypt R12$/],
    ['waitingForDns', /^Waiting ?for DNS$/],
    ['rateLimited', /^Failed ?next try in 53 min$/],
    ['accessDenied', /^Failed ?Let's Encrypt R12$/],
    ['expiresSoon', /^9 d.*expires soon$/],
    ['renewalFailing', /^20 d.*renewal fails$/],
    ['expiredWhileReady', /^Expired/],
  ])('of one that is %s says so in words', async (situation, expected) => {
    expect(await renderCell(situation)).toHaveTextContent(expected);
  });

  it('tells issuer and end on hover, also where the issuer is not written', async () => {
    await renderCell('expiresSoon');
    expect(
      screen.getByTitle(/^Let's Encrypt R12 · expires Dec 8, 2026/),
    ).toBeInTheDocument();
  });

  it('tells the exact time of the next try on hover', async () => {
    await renderCell('rateLimited');
    const time = screen.getByText('next try in 53 min');
    expect(time).toHaveAttribute('datetime', '2026-11-29T15:02:30.000Z');
    expect(time.getAttribute('title')).toMatch(/Nov 29, 2026/);
  });

  it('counts the others', async () => {
    expect(await renderCell('rateLimited', 2)).toHaveTextContent(/2 more$/);
  });
});
