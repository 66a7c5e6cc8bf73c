// Stands in for ANTLR's header of the same name: the parts that a generated
// lexer and parser need. The original includes InterpreterDataReader.h, which
// clang 14 (clang-tidy, libFuzzer) cannot compile in C++20.
#pragma once

#include <antlr4-common.h>

#include <ANTLRErrorStrategy.h>
#include <ANTLRInputStream.h>
#include <BailErrorStrategy.h>
#include <BaseErrorListener.h>
#include <CharStream.h>
#include <CommonToken.h>
#include <CommonTokenFactory.h>
#include <CommonTokenStream.h>
#include <DefaultErrorStrategy.h>
#include <Exceptions.h>
#include <FailedPredicateException.h>
#include <InputMismatchException.h>
#include <Lexer.h>
#include <ListTokenSource.h>
#include <NoViableAltException.h>
#include <Parser.h>
#include <ParserRuleContext.h>
#include <RecognitionException.h>
#include <Token.h>
#include <TokenStream.h>
#include <Vocabulary.h>
#include <WritableToken.h>
#include <atn/ATN.h>
#include <atn/ATNDeserializer.h>
#include <atn/ATNState.h>
#include <atn/DecisionState.h>
#include <atn/LexerATNSimulator.h>
#include <atn/ParserATNSimulator.h>
#include <atn/PredictionContext.h>
#include <atn/PredictionMode.h>
#include <atn/RuleStartState.h>
#include <atn/RuleTransition.h>
#include <atn/Transition.h>
#include <dfa/DFA.h>
#include <misc/IntervalSet.h>
#include <support/CPPUtils.h>
#include <support/StringUtils.h>
#include <tree/ErrorNode.h>
#include <tree/TerminalNode.h>
