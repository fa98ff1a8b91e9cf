package dev.fakegpu.engine.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code optional.of(x)} and its functions, except {@code or} and {@code orValue}, which do not always evaluate their argument.
 * cel-java declares them all except {@code unwrapOpt}. Upstream: {@code cel-go/cel/library.go}.
 */
final class OptionalLibrary extends FunctionLibrary {

    private static final CelType ANY_VALUE = TypeParamType.create("V");
    private static final CelType OPTIONAL = OptionalType.create(ANY_VALUE);
    private static final CelType LIST = ListType.create(ANY_VALUE);

    OptionalLibrary() {
        bound("optional.of", "optional_of", types(ANY_VALUE), args -> Optional.of(args[0]));
        bound(
                "optional.ofNonZeroValue",
                "optional_ofNonZeroValue",
                types(ANY_VALUE),
                args -> isZero(args[0]) ? Optional.empty() : Optional.of(args[0]));
        bound("optional.none", "optional_none", types(), args -> Optional.empty());
        bound("value", "optional_value", types(OPTIONAL), args -> value((Optional<?>) args[0]));
        bound("hasValue", "optional_hasValue", types(OPTIONAL), args -> ((Optional<?>) args[0]).isPresent());
        bound("first", "list_first", types(LIST), args -> first((List<?>) args[0]));
        bound("last", "list_last", types(LIST), args -> last((List<?>) args[0]));
        bound("optional.unwrap", "optional_unwrap", types(LIST), args -> unwrapped((List<?>) args[0]));
        member("unwrapOpt", "optional_unwrapOpt", LIST, ListType.create(OPTIONAL), OptionalLibrary::unwrapped);
    }

    private void bound(String name, String id, List<CelType> parameters, Body body) {
        implement(name, new Overload(id, parameters, body));
    }

    private static Object value(Optional<?> optional) {
        if (optional.isEmpty()) {
            throw new Failure("optional.none() dereference");
        }
        return optional.get();
    }

    private static Optional<?> first(List<?> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(0));
    }

    private static Optional<?> last(List<?> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(list.size() - 1));
    }

    private static Object unwrapped(List<?> list) {
        Steps.take(list.size());
        var values = new ArrayList<Object>(list.size());
        for (Object element : list) {
            if (!(element instanceof Optional<?> optional)) {
                throw new Failure("value is not optional");
            }
            optional.ifPresent(values::add);
        }
        return values;
    }

    private static boolean isZero(Object value) {
        if (value instanceof String text) {
            return text.isEmpty();
        }
        if (value instanceof List<?> list) {
            return list.isEmpty();
        }
        if (value instanceof Map<?, ?> map) {
            return map.isEmpty();
        }
        return value instanceof Optional<?> optional ? optional.isEmpty() : isZeroScalar(value);
    }

    private static boolean isZeroScalar(Object value) {
        if (value instanceof Double number) {
            return number == 0.0;
        }
        if (value instanceof CelByteString bytes) {
            return bytes.isEmpty();
        }
        return value instanceof NullValue
                || value.equals(0L)
                || value.equals(false)
                || value.equals(UnsignedLong.ZERO)
                || value.equals(Duration.ZERO);
    }
}
