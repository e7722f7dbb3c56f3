export { TemplateError } from './lexer';
export * from './fastTemplate';
export * from './goTemplate';
export * from './slug';
