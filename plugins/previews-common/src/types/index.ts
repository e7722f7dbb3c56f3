export * from './api';
export * from './condition';
export * from './phase';
export * from './preview';
export * from './source';
export * from './stats';
