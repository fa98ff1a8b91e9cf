package dev.fakegpu.engine.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compiles and caches regular expressions in RE2 syntax, which is also Go's. */
public final class Regexes {

    /** Nearly all expressions are literals. The limit keeps computed ones from filling the heap. */
    private static final int MAX_REMEMBERED = 1_024;

    /**
     * The maximum size of a compiled expression in instructions. Go's limit is 128 MiB, but here many compiled expressions are cached.
     */
    private static final long MAX_SIZE = 20_000;

    /** The number of characters whose case can be looked up while one instruction is created. */
    private static final int LOOKUPS = 5;

    private static final Map<String, Pattern> COMPILED = new ConcurrentHashMap<>();

    private Regexes() {}

    /** @throws Failure if the text is not a regular expression */
    public static Pattern compile(String regex) {
        Pattern known = COMPILED.get(regex);
        return known == null ? compileNew(regex) : known;
    }

    /** A matcher for a text. Its time depends on the length of both the expression and the text. */
    static Matcher matcher(String regex, String text) {
        Pattern pattern = compile(regex);
        takeSteps(pattern, text.length());
        return pattern.matcher(text);
    }

    /** Counts the steps of a search in this many characters. Call it before the search. */
    static void takeSteps(Pattern pattern, long length) {
        Steps.take((1 + length) * (1 + pattern.programSize() / 10));
    }

    private static Pattern compileNew(String regex) {
        if (RegexSize.of(regex) + FoldedCharacters.of(regex) / LOOKUPS > MAX_SIZE) {
            throw new Failure("Illegal regex: expression too large");
        }
        Steps.text(regex.length());
        try {
            Pattern pattern = Pattern.compile(regex);
            if (COMPILED.size() < MAX_REMEMBERED) {
                COMPILED.put(regex, pattern);
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            throw new Failure("Illegal regex: " + e.getMessage());
        } catch (StackOverflowError e) {
            throw new Failure("Illegal regex: expression nests too deeply");
        }
    }
}
