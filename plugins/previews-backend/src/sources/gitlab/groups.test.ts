import { chooseGroups } from './groups';

function choose(
  paths: string[],
  options: { minimum?: number; refused?: string[] } = {},
) {
  const groups = chooseGroups(
    paths.map(path => ({ path })),
    {
      minimum: options.minimum ?? 2,
      isRefused: key => options.refused?.includes(key) ?? false,
    },
  );
  return Object.fromEntries(
    [...groups.values()].map(({ path, members }) => [
      path,
      members.map(member => member.path),
    ]),
  );
}

describe('chooseGroups', () => {
  it('takes the highest group that projects share', () => {
    expect(choose(['a/b/one', 'a/b/two', 'a/three', 'x/alone'])).toEqual({
      a: ['a/b/one', 'a/b/two', 'a/three'],
    });
  });

  it('leaves projects alone where too few share a group', () => {
    expect(choose(['a/one', 'a/two', 'b/three'], { minimum: 3 })).toEqual({});
  });

  it('goes below a group that is refused, as far as enough projects share one', () => {
    expect(
      choose(['a/b/one', 'a/b/two', 'a/c/three', 'a/four'], {
        refused: ['a'],
      }),
    ).toEqual({ 'a/b': ['a/b/one', 'a/b/two'] });
  });

  it('takes paths that differ by case for the same', () => {
    expect(choose(['Team/one', 'team/two'])).toEqual({
      Team: ['Team/one', 'team/two'],
    });
  });
});
