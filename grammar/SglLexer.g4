/* Words of the SGL language.
 *
 * The lexer never fails: what it cannot read becomes UNKNOWN, UNCLOSED_RAW,
 * UNCLOSED_RAW_BLOCK or BAD_ESCAPE, and the message comes from a later pass
 * that knows more. Text is read by modes: `"` enters Line, a triple quote
 * enters Block, and `${` goes back to code until its `}`. Blanks mean nothing
 * between words and are skipped; comments stay on the hidden channel.
 * UNCLOSED is made by compiler/syntax/Tokens.cpp where a text has no end.
 */
lexer grammar SglLexer;

tokens { UNCLOSED }

// Comments. Documentation is `///` and, for the file, `//!`; four slashes and
// more are a ruler.
MODULE_DOC   : '//!' ~[\r\n]* -> channel(HIDDEN) ;
RULER        : '////' ~[\r\n]* -> channel(HIDDEN) ;
DOC          : '///' ~[\r\n]* -> channel(HIDDEN) ;
LINE_COMMENT : '//' ~[\r\n]* -> channel(HIDDEN) ;
OPEN_COMMENT : '/*' -> channel(HIDDEN), pushMode(Comment) ;
BLANKS       : [ \t\r\n]+ -> skip ;

// Hard keywords.
IMPORT   : 'import' ;
LET      : 'let' ;
VAR      : 'var' ;
FN       : 'fn' ;
ENUM     : 'enum' ;
IF       : 'if' ;
ELSE     : 'else' ;
MATCH    : 'match' ;
FOR      : 'for' ;
IN       : 'in' ;
WHILE    : 'while' ;
BREAK    : 'break' ;
CONTINUE : 'continue' ;
RETURN   : 'return' ;
EXTEND   : 'extend' ;
GEN      : 'gen' ;
SELECT   : 'select' ;
FORK     : 'fork' ;
JOIN     : 'join' ;
AS       : 'as' ;
AND      : 'and' ;
OR       : 'or' ;
NOT      : 'not' ;
TRUE     : 'true' ;
FALSE    : 'false' ;
NULL_    : 'null' ;
ASSERT   : 'assert' ;

// Contextual keywords: names wherever a name may stand.
IMAGE    : 'image' ;
VIDEO    : 'video' ;
TOOL     : 'tool' ;
RECORD   : 'record' ;
TYPE     : 'type' ;
TEST     : 'test' ;
WITH     : 'with' ;
INTO     : 'into' ;
DEFAULTS : 'defaults' ;
PARALLEL : 'parallel' ;
RETRY    : 'retry' ;
EXPECT   : 'expect' ;
MATCHING : 'matching' ;
STATE    : 'state' ;

// Signs.
ARROW           : '->' ;
FAT_ARROW       : '=>' ;
PLUS_EQUALS     : '+=' ;
EQUAL           : '==' ;
NOT_EQUAL       : '!=' ;
LESS_EQUAL      : '<=' ;
GREATER_EQUAL   : '>=' ;
LESS            : '<' ;
GREATER         : '>' ;
RANGE_INCLUSIVE : '..=' ;
RANGE           : '..' ;
EQUALS          : '=' ;
PLUS            : '+' ;
MINUS           : '-' ;
STAR            : '*' ;
SLASH           : '/' ;
PERCENT         : '%' ;
PIPE            : '|' ;
QUESTION        : '?' ;
DOT             : '.' ;
COMMA           : ',' ;
SEMICOLON       : ';' ;
COLON           : ':' ;
LEFT_PAREN      : '(' ;
RIGHT_PAREN     : ')' ;
LEFT_BRACKET    : '[' ;
RIGHT_BRACKET   : ']' ;
LEFT_BRACE      : '{' -> pushMode(DEFAULT_MODE) ;
RIGHT_BRACE     : '}' -> popMode ;

// Numbers and names.
FLOAT      : INT ('.' [0-9] [0-9_]* EXPONENT? | EXPONENT) ;
INT        : [0-9] [0-9_]* ;
IDENTIFIER : [A-Za-z_] [A-Za-z0-9_]* ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;

// Text.
RAW_BLOCK          : 'r"""' .*? '"""' ;
UNCLOSED_RAW_BLOCK : 'r"""' (~["] | '"' ~["] | '""' ~["])* '"'? '"'? ;
RAW_TEXT           : 'r"' ~["\r\n]* '"' ;
UNCLOSED_RAW       : 'r"' ~["\r\n]* ;
OPEN_BLOCK         : '"""' -> pushMode(Block) ;
OPEN_TEXT          : '"' -> pushMode(Line) ;

UNKNOWN : . ;

mode Line;
LINE_HOLE       : '${' -> type(OPEN_HOLE), pushMode(DEFAULT_MODE) ;
LINE_ESCAPE     : ESCAPE_BODY -> type(ESCAPE) ;
LINE_BAD_ESCAPE : '\\' ~[\r\n]? -> type(BAD_ESCAPE) ;
LINE_TEXT       : (~["\\$\r\n]+ | '$') -> type(TEXT) ;
CLOSE_LINE      : '"' -> type(CLOSE_TEXT), popMode ;
LINE_END        : [\r\n] -> type(UNCLOSED), popMode ;

mode Block;
OPEN_HOLE   : '${' -> pushMode(DEFAULT_MODE) ;
ESCAPE      : ESCAPE_BODY ;
LINE_JOIN   : '\\' '\r'? '\n' ;
BAD_ESCAPE  : '\\' .? ;
CLOSE_TEXT  : '"""' -> popMode ;
TEXT        : ~["\\$]+ | '"' | '$' ;
fragment ESCAPE_BODY : '\\' ([nrts"\\$0] | 'u{' [0-9a-fA-F]+ '}') ;

mode Comment;
NESTED_COMMENT : '/*' -> type(OPEN_COMMENT), channel(HIDDEN), pushMode(Comment) ;
CLOSE_COMMENT  : '*/' -> channel(HIDDEN), popMode ;
COMMENT_TEXT   : (~[*/]+ | [*/]) -> channel(HIDDEN) ;
