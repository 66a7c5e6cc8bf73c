/* Sentences of the SGL language.
 *
 * One rule, one node of the tree; parts are labelled; there are no actions.
 * Newlines mean nothing. Nearly every choice is made by one token of
 * lookahead, which keeps parsing fast; what a rule allows too much (an
 * assignment to a call, a statement that is only a name) is refused by the
 * tree builder, whose messages are better. Precedence of operators stands in
 * compiler/syntax/Precedence.h:
 *   - (sign) | * / % | + - | .. ..= | == != < <= > >= in, not in
 *   | not | and | or
 */
parser grammar SglParser;

options { tokenVocab = SglLexer; }

file : (item SEMICOLON*)* EOF ;

// ---- Items ----------------------------------------------------------------

item
    : importItem
    | defaultsItem
    | constItem
    | typeItem
    | recordItem
    | enumItem
    | toolItem
    | functionItem
    | testItem
    ;

importItem
    : IMPORT (text | qualifiedName) (AS alias=name | nameList)?
    ;
defaultsItem : DEFAULTS arguments ;
constItem    : LET name (COLON type)? EQUALS expression ;
typeItem     : TYPE name EQUALS type ;
recordItem   : RECORD name LEFT_BRACE (field (COMMA | SEMICOLON)?)* RIGHT_BRACE ;
field        : member COLON type (EQUALS expression)? ;
enumItem     : ENUM name LEFT_BRACE (enumMember COMMA?)* RIGHT_BRACE ;
enumMember   : member (EQUALS text)? ;
toolItem     : TOOL name parameters (ARROW type)? ;
functionItem : FN name parameters (ARROW type)? block ;
testItem     : TEST text (COLON setting=name)? block ;

parameters : LEFT_PAREN (parameter (COMMA parameter)* COMMA?)? RIGHT_PAREN ;
parameter  : name COLON type (EQUALS expression)? ;

// ---- Types ----------------------------------------------------------------

type        : memberType (PIPE memberType)* ;
memberType  : plainType QUESTION? (IN bounds | MATCHING text)* ;
plainType   : qualifiedName | listType | mapType | text ;
listType    : LEFT_BRACKET type (SEMICOLON bounds)? RIGHT_BRACKET ;
mapType     : LEFT_BRACE key=type COLON value=type RIGHT_BRACE ;
bounds      : low=number ((RANGE | RANGE_INCLUSIVE) high=number?)? ;
number      : MINUS? (INT | FLOAT) ;

// ---- Statements -----------------------------------------------------------

block : LEFT_BRACE SEMICOLON* (statement SEMICOLON*)* RIGHT_BRACE ;

statement
    : letStatement
    | varStatement
    | extendStatement
    | ifStatement
    | matchStatement
    | forStatement
    | whileStatement
    | forkExpression
    | parallelStatement
    | retryStatement
    | joinStatement
    | returnStatement
    | breakStatement
    | continueStatement
    | expectStatement
    | assertStatement
    | holeExpression
    | placeStatement
    ;

letStatement      : LET name (COLON type)? EQUALS expression ;
varStatement      : VAR name (COLON type)? EQUALS expression ;
extendStatement   : EXTEND place WITH parts ;
ifStatement       : IF expression block (ELSE (ifStatement | otherwise=block))? ;
matchStatement    : MATCH expression LEFT_BRACE arm* RIGHT_BRACE ;
forStatement      : FOR name IN expression block ;
whileStatement    : WHILE expression block ;
parallelStatement : PARALLEL block ;
retryStatement    : RETRY expression block (ELSE otherwise=block)? ;
joinStatement     : JOIN expression? (INTO place)? ;
returnStatement   : RETURN expression? ;
breakStatement    : BREAK ;
continueStatement : CONTINUE ;
expectStatement   : EXPECT expression (COMMA message=expression)? ;
assertStatement   : ASSERT expression (COMMA message=expression)? ;

/// x = e, s += parts, f(x), user(s) { … }
placeStatement : place (EQUALS expression | PLUS_EQUALS parts | block)? ;

parts : expression (COMMA expression)* ;

arm     : pattern (PIPE pattern)* FAT_ARROW (block | statement) SEMICOLON* COMMA? ;
pattern
    : number
    | word=(TRUE | FALSE | NULL_)
    | text
    | qualifiedName nameList?
    ;

// ---- Expressions ----------------------------------------------------------

expression : operand (binaryOperator operand)* ;
operand    : (NOT | MINUS)* postfix ;
binaryOperator
    : STAR | SLASH | PERCENT | PLUS | MINUS | RANGE | RANGE_INCLUSIVE
    | EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL
    | IN | NOT IN | AND | OR
    ;

place   : name suffix* ;
postfix : primary suffix* ;
suffix
    : DOT member
    | LEFT_BRACKET expression RIGHT_BRACKET
    | arguments
    ;

primary
    : literal
    | name
    | text
    | group
    | listExpression
    | mapExpression
    | holeExpression
    | forkExpression
    | ifExpression
    ;

literal        : INT | FLOAT | TRUE | FALSE | NULL_ ;
group          : LEFT_PAREN expression RIGHT_PAREN ;
listExpression : LEFT_BRACKET (expression (COMMA expression)* COMMA?)? RIGHT_BRACKET ;
mapExpression  : LEFT_BRACE (mapEntry (COMMA mapEntry)* COMMA?)? RIGHT_BRACE ;
mapEntry       : text COLON expression ;

/// A part that the model writes.
holeExpression : word=(GEN | SELECT) arguments (AS name (COLON type)?)? ;

/// fork(s, 3), or one branch for each element: fork s as f for x in xs { … }
forkExpression
    : FORK (arguments forkBranch? | place forkBranch)
    ;
forkBranch   : AS branch=name (FOR element=name IN expression)? block ;
ifExpression : IF expression then=braced ELSE (ifExpression | otherwise=braced) ;
braced       : LEFT_BRACE expression RIGHT_BRACE ;

arguments : LEFT_PAREN (argument (COMMA argument)* COMMA?)? RIGHT_PAREN ;
argument  : (member COLON)? expression ;

// ---- Text and names -------------------------------------------------------

text
    : OPEN_TEXT textPart* (CLOSE_TEXT | UNCLOSED)
    | OPEN_BLOCK textPart* (CLOSE_TEXT | UNCLOSED)
    | RAW_TEXT
    | RAW_BLOCK
    | UNCLOSED_RAW
    | UNCLOSED_RAW_BLOCK
    ;
textPart : TEXT | ESCAPE | LINE_JOIN | BAD_ESCAPE | hole ;
hole     : OPEN_HOLE expression RIGHT_BRACE ;

qualifiedName : name (DOT member)* ;
nameList      : LEFT_PAREN (name (COMMA name)* COMMA?)? RIGHT_PAREN ;

name
    : IDENTIFIER | IMAGE | VIDEO | TOOL | RECORD | TYPE | TEST | WITH | INTO
    | DEFAULTS | PARALLEL | RETRY | EXPECT | MATCHING | STATE
    ;

/// Every word is allowed after a dot, as a field and as an option.
member
    : name
    | IMPORT | LET | VAR | FN | ENUM | IF | ELSE | MATCH | FOR | IN | WHILE
    | BREAK | CONTINUE | RETURN | EXTEND | GEN | SELECT | FORK | JOIN | AS
    | AND | OR | NOT | TRUE | FALSE | NULL_ | ASSERT
    ;
