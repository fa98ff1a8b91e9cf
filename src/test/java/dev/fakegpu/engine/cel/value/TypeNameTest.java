package dev.fakegpu.engine.cel.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.fakegpu.dra.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the names in CEL's language definition and in {@code k8s.io/apiserver/pkg/cel}. */
class TypeNameTest {

    static List<Arguments> values() {
        return List.of(
                Arguments.of(1L, "int"),
                Arguments.of(UnsignedLong.ONE, "uint"),
                Arguments.of(1.0, "double"),
                Arguments.of("", "string"),
                Arguments.of(true, "bool"),
                Arguments.of(CelByteString.EMPTY, "bytes"),
                Arguments.of(NullValue.NULL_VALUE, "null_type"),
                Arguments.of(List.of(), "list"),
                Arguments.of(Map.of(), "map"),
                Arguments.of(Optional.empty(), "optional_type"),
                Arguments.of(Duration.ZERO, "google.protobuf.Duration"),
                Arguments.of(Instant.EPOCH, "google.protobuf.Timestamp"),
                Arguments.of(Quantity.ONE, "kubernetes.Quantity"),
                Arguments.of(SemanticVersion.parse("1.0.0"), "kubernetes.Semver"),
                Arguments.of(IpAddress.parse("::"), "net.IP"),
                Arguments.of(Cidr.parse("::/0"), "net.CIDR"),
                Arguments.of(Url.parse("/"), "kubernetes.URL"),
                Arguments.of(new NamedFormat("x", 1, text -> true), "kubernetes.NamedFormat"),
                Arguments.of(new TypeName("int"), "type"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void everyValueHasAType(Object value, String name) {
        assertThat(TypeName.of(value)).isEqualTo(new TypeName(name)).hasToString(name);
    }
}
