import { InFlight } from './InFlight';

function scripted() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const work = jest.fn(
    () =>
      new Promise<void>((resolve, reject) => {
        ends.push({ resolve, reject });
      }),
  );
  return { ends, work };
}

describe('work in flight', () => {
  it('is begun once more for all who ask while it runs', async () => {
    const { ends, work } = scripted();
    const flight = new InFlight();
    const first = flight.run('7', work);
    const others = [flight.run('7', work), flight.run('7', work)];
    expect(work).toHaveBeenCalledTimes(1);
    ends[0].resolve();
    await first;
    expect(work).toHaveBeenCalledTimes(2);
    const late = flight.run('7', work);
    ends[1].resolve();
    await Promise.all(others);
    expect(work).toHaveBeenCalledTimes(3);
    ends[2].resolve();
    await late;
  });

  it('is begun at once for another key, and when nothing runs', async () => {
    const { ends, work } = scripted();
    const flight = new InFlight();
    const runs = [flight.run('7', work), flight.run('8', work)];
    expect(work).toHaveBeenCalledTimes(2);
    ends.forEach(({ resolve }) => resolve());
    await Promise.all(runs);
    const again = flight.run('7', work);
    expect(work).toHaveBeenCalledTimes(3);
    ends[2].resolve();
    await again;
  });

  it('goes on after a run that failed', async () => {
    const { ends, work } = scripted();
    const flight = new InFlight();
    const first = flight.run('7', work);
    const second = flight.run('7', work);
    ends[0].reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    ends[1].resolve();
    await second;
    expect(work).toHaveBeenCalledTimes(2);
  });
});
